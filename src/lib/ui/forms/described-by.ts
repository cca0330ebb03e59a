/** The value of `aria-describedby`: the ids of those texts that are there. */
export const describedBy = (...ids: readonly (string | false | undefined)[]): string | undefined =>
	ids.filter(Boolean).join(' ') || undefined;
