/** The sum of a metric over all its labels, as the server reports it; 0 when it has not counted yet. */
export async function readServerMetric(consoleUrl: string, name: string): Promise<number> {
  const response = await fetch(`${consoleUrl}/metrics`);
  if (!response.ok) throw new Error(`/metrics answered ${response.status}`);
  let sum = 0;
  for (const line of (await response.text()).split("\n")) {
    const [series = "", value = ""] = line.split(" ");
    if (series === name || series.startsWith(`${name}{`)) sum += Number(value);
  }
  return sum;
}
