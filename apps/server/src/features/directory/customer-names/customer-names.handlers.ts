import type { Handlers } from "#http/endpoints.ts";
import type { CustomerNamesReadModel } from "./customer-names.read-model.ts";

export function customerNamesHandlers(readModel: CustomerNamesReadModel): Pick<Handlers, "getCustomerNames"> {
  return { getCustomerNames: () => readModel.findAll() };
}
