import { UserReport } from "#features/office/user-report/user-report.tsx";
import { PageFrame } from "./page-frame.tsx";

export function UserReportPage() {
  return (
    <PageFrame title="User Report">
      <UserReport />
    </PageFrame>
  );
}
