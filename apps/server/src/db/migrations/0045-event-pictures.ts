/** Pictures lie beside the rows, so that looking through many events by kind or size reads none of them. */
export const statements = ["alter table recorded_event set (toast_tuple_target = 256)"];
