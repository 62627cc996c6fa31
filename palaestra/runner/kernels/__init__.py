"""The machine code of a batch, made for each kind of dynamics.

Start with `plan`: one step in Python shows the columns that the dynamics need. `source` writes the kernels' text around
`templates`, `transfers` and `params_text`; `compilation` compiles it; `memory` holds the columns, in the order of
`layout`; `runner` calls the kernels, and shares the rows among the threads of `pool`. `params`, `draws`, `infos`,
`columns`, `outputs` and `packing` describe the parts of the memory; `checks` refuses types that a column cannot hold.
"""
