import type { Handlers } from "#http/endpoints.ts";
import type { CustomerNamesReadModel } from "./customer-names.read-model.ts";

export function customerNamesHandlers(readModel: CustomerNamesReadModel) {
  return { getCustomerNames: () => readModel.findAll() } satisfies Partial<Handlers>;
}
