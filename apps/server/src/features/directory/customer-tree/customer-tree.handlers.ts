import { chooseEncoding } from "#http/compression.ts";
import type { Handlers } from "#http/endpoints.ts";
import type { CustomerTree } from "./customer-tree.ts";

export function customerTreeHandlers(tree: CustomerTree) {
  return {
    getCustomers: (_input, { headers }) =>
      tree.answer(chooseEncoding(headers["accept-encoding"]), headers["if-none-match"] as string | undefined),
  } satisfies Partial<Handlers>;
}
