import { getCustomerNames } from "@busbar/contract/directory/customer-names.ts";
import { getUserReport } from "@busbar/contract/office/user-report.ts";
import { useApiMutation } from "#api/use-api-mutation.ts";
import { useApiQuery } from "#api/use-api-query.ts";

export interface UserReportChoice {
  /** Empty: all customers. */
  customerCode: string;
  includeInternalUsers: boolean;
  includeInactiveUsers: boolean;
}

export const useCustomerNames = () => useApiQuery(getCustomerNames, {});

export function useUserReport() {
  const flag = (isSet: boolean) => (isSet ? ("true" as const) : ("false" as const));
  return useApiMutation((call, choice: UserReportChoice) =>
    call(getUserReport, {
      query: {
        ...(choice.customerCode === "" ? {} : { customer_code: choice.customerCode }),
        include_internal_users: flag(choice.includeInternalUsers),
        include_inactive_users: flag(choice.includeInactiveUsers),
      },
    }),
  );
}
