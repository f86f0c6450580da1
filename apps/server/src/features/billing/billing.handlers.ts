import type { Handlers } from "#http/endpoints.ts";
import { unauthorized } from "#lib/errors.ts";
import type { BillingService } from "./billing.service.ts";

export function billingHandlers(service: BillingService): Pick<Handlers, "getBillingOrganizations" | "getBill" | "createBillPdf"> {
  return {
    getBillingOrganizations: () => service.organizations(),
    getBill({ params, query: { billDate, ...terms } }) {
      return service.bill({ ...terms, organizationId: params.id, billToDate: billDate });
    },
    async createBillPdf({ body }, { caller }) {
      if (!caller) throw unauthorized();
      return await service.pdf(caller, body);
    },
  };
}
