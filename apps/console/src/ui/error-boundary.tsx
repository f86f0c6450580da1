import { Component, type ReactNode } from "react";
import { retryFailedParts } from "#lib/lazy-part.ts";

export interface ErrorBoundaryProps {
  fallback: (error: unknown) => ReactNode;
  children: ReactNode;
}

/** What is drawn in place of children that failed while they were drawn. It starts over when it is rebuilt. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { failure?: { error: unknown } }> {
  override state: { failure?: { error: unknown } } = {};

  static getDerivedStateFromError(error: unknown) {
    return { failure: { error } };
  }

  override componentWillUnmount() {
    if (this.state.failure) retryFailedParts();
  }

  override render() {
    return this.state.failure ? this.props.fallback(this.state.failure.error) : this.props.children;
  }
}
