/** The value of `aria-describedby`: the ids of the texts that are present. */
export const describedBy = (...ids: readonly (string | false | undefined)[]): string | undefined =>
	ids.filter(Boolean).join(' ') || undefined;
