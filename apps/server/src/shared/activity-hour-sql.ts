/** SQL: the hour since 1970 that an activity shows; activities are counted by it. */
export const activityHour = "floor(extract(epoch from ts) / 3600)::bigint";
