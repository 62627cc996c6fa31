"""PettingZoo: its checks of the AEC and the parallel interface, over our spaces."""

from pettingzoo.butterfly import cooperative_pong_v6
from pettingzoo.classic import tictactoe_v3
from pettingzoo.test import api_test, parallel_api_test

api_test(tictactoe_v3.env(), num_cycles=200)
parallel_api_test(cooperative_pong_v6.parallel_env(), num_cycles=200)
print("api_test passes on tictactoe_v3, parallel_api_test on cooperative_pong_v6")
