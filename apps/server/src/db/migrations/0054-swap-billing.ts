// A place that was billed as Deployed goes on so until the new node is Deployed itself.
export const statements = [`alter table node_swap add column deployed_since timestamptz`];
