/**
 * SQL: whether a row of a queue is next: never set aside, or, where `find` was called with ids, one of these. So it stays as fast and as
 * fair however many rows are set aside.
 * @param item SQL of the row's id, as text
 * @param ids the parameter with the ids, or with null
 */
export const isNext = (service: string, kind: string, item: string, ids: string): string =>
  `case when ${ids}::text[] is null then not exists (
     select from service_set_aside w where w.service = '${service}' and w.kind = '${kind}' and w.item = ${item}) else ${item} = any (${ids}::text[]) end`;
