/** Where the address names a node: of what there is none, and the way to the others. */
export const missingNode = { what: "node: a serial number has five digits, the first not zero", others: <a href="#/nodes">All nodes</a> };
