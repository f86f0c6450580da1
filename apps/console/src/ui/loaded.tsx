import type { ReactNode } from "react";
import { ApiError, failureMessage, isNotFound } from "#lib/api-error.ts";
import { EmptyState, FailureState } from "./data-states.tsx";
import { StaleNotice } from "./stale-notice.tsx";

/** An answer as a query hook has it. */
export interface Asked<Data> {
  data: Data | undefined;
  error: Error | null;
  /** Epoch milliseconds. */
  dataUpdatedAt: number;
  refetch: () => unknown;
}

export interface LoadedProps<Data> {
  of: Asked<Data>;
  /** Light shapes of what will be there. */
  loading: ReactNode;
  /**
   * Where the address names what is asked for: the way to the others, and of what there is none, such as `batch: it ends with a number`,
   * where the server does not say it.
   */
  missing?: { what?: string; others: ReactNode } | undefined;
  /** Said of old data too. */
  staleWords?: string;
  children?: (data: Data) => ReactNode;
}

/**
 * What is asked for: while it loads, when there is none, when it failed, when it is old, and what is made of it. What is not there is not
 * there when it is asked for again either.
 */
export function Loaded<Data>({ of: { data, error, dataUpdatedAt, refetch }, loading, missing, staleWords, children }: LoadedProps<Data>) {
  const retry = () => void refetch();
  if (data === undefined) {
    if (!error) return loading;
    if (isNotFound(error) || (missing && error instanceof ApiError && error.status === 400)) {
      const isUnnamed = error.status === 400 && missing?.what !== undefined;
      return <EmptyState title={isUnnamed ? `This address names no ${missing.what}.` : error.message}>{missing?.others}</EmptyState>;
    }
    return <FailureState message={failureMessage(error)} onRetry={retry} />;
  }
  return (
    <>
      {error && <StaleNotice message={failureMessage(error)} updatedAt={dataUpdatedAt} words={staleWords} onRetry={retry} />}
      {children?.(data)}
    </>
  );
}

/** Two answers that are needed together. */
export function bothOf<One, Other>(one: Asked<One>, other: Asked<Other>): Asked<[One, Other]> {
  return {
    data: one.data === undefined || other.data === undefined ? undefined : [one.data, other.data],
    error: one.error ?? other.error,
    dataUpdatedAt: Math.min(one.dataUpdatedAt, other.dataUpdatedAt),
    refetch: () => {
      void one.refetch();
      void other.refetch();
    },
  };
}
