"""PettingZoo: its checks of the AEC and the parallel interface and of seeds, over our spaces."""

from pettingzoo.butterfly import cooperative_pong_v6, pistonball_v6
from pettingzoo.classic import connect_four_v3, tictactoe_v3
from pettingzoo.test import api_test, parallel_api_test, seed_test

for game in (tictactoe_v3, connect_four_v3):
    api_test(game.env(), num_cycles=200)
    seed_test(game.env, num_cycles=50)
parallel_api_test(cooperative_pong_v6.parallel_env(), num_cycles=200)
parallel_api_test(pistonball_v6.parallel_env(), num_cycles=50)
print("api_test and seed_test pass on two classic games, parallel_api_test on cooperative_pong_v6 and pistonball_v6")
