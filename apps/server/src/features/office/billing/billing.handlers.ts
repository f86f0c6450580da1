import type { Handlers } from "#http/endpoints.ts";
import type { BillRegister } from "./bill-register.service.ts";
import type { BillingService } from "./billing.service.ts";

export function billingHandlers(service: BillingService, register: BillRegister) {
  return {
    getBillingOrganizations: () => service.organizations(),
    getBill({ params, query: { billDate, ...terms } }) {
      return service.bill({ ...terms, organizationId: params.id, billToDate: billDate });
    },
    async createBillPdf({ body }, { caller }) {
      return await service.pdf(caller, body);
    },
    getRegisteredBills: ({ query }) => register.list(query.before),
    async createRegisteredBillPdf({ params }, { caller }) {
      return await register.pdf(caller, params.number);
    },
    async voidBill({ params, body }, { caller }) {
      return await register.makeVoid(caller, params.number, body.reason);
    },
    getBilledMonth: ({ params }) => register.month(params.month),
  } satisfies Partial<Handlers>;
}
