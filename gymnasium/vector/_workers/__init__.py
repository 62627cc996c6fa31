"""The worker processes of `AsyncVectorEnv`.

The parent's side: `start` starts workers, `handle` speaks to one, `dispatch` splits requests and merges answers,
`supervisor` waits for answers and deaths, `restart` replaces workers, `pending` knows which call is under way, `board`
holds the results. The child's side: `worker` is its program, `lost_member` stands for an environment that was lost.
Between them: `arena` is the shared memory, `channel` the socket, `protocol` the messages, `failures` the exceptions.
"""
