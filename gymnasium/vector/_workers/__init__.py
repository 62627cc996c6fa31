"""The worker processes of `AsyncVectorEnv`.

The parent's side: `start` starts workers, `handle` speaks to one, `dispatch` splits requests and merges answers,
`supervisor` waits for answers and deaths, `restart` and `resume` replace workers, `journal` holds the requests that a
new worker repeats, `calls` knows the order of calls, `pending` which one is under way, `board` holds the results. The
child's side: `worker` is its program, `lost_member` stands for an environment that was lost, `checkpoints` makes
checkpoints and continues from them.
Between them: `arena` is the shared memory, `channel` the socket, `protocol` the messages, `failures` the exceptions.
"""
