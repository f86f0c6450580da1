/** What the program itself has open. */
const ownFiles = 100;

interface UserLimits {
  userLimits?: { open_files?: { hard?: number | string } };
}

/** How many files and sockets this process may open; Node has taken the soft limit up to it. */
function openFilesLimit(): number {
  const { userLimits } = process.report.getReport() as UserLimits;
  const limit = userLimits?.open_files?.hard;
  return typeof limit === "number" ? limit : Infinity;
}

/** Why so many nodes cannot have a socket each, and what to do; undefined when they can. */
export function whyTooManyNodes(nodes: number, limit = openFilesLimit()): string | undefined {
  const needed = nodes + ownFiles;
  if (needed <= limit) return undefined;
  return `${nodes} nodes need ${needed} open files and this process may have ${limit}: run it after "ulimit -n ${needed}", or with fewer --nodes`;
}
