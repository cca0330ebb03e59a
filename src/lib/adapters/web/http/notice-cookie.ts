/** Why a person reaches a page. The cookie can contain no other text. */
const REASONS = [
	'signed-out',
	'account-created',
	'email-changed',
	'email-restored',
	'account-restored',
	'account-deleted',
	'restore-offered'
] as const;

/** The end of the session was shown. It is not repeated while its cookie stays in the browser. */
const SHOWN = 'shown';

export type Reason = (typeof REASONS)[number];

/**
 * What the next page may have to say: a reason, or until when this browser's session lasts unless it
 * is ended elsewhere. In milliseconds.
 */
export type Notice = Reason | typeof SHOWN | { readonly until: number };

export const noticeValue = (notice: Notice): string =>
	typeof notice === 'string' ? notice : `until.${notice.until}`;

/** Null for anything else. */
export const parseNotice = (value: string): Notice | null => {
	const [, until] = /^until\.(\d{1,15})$/.exec(value) ?? [];
	if (until !== undefined) return { until: Number(until) };
	return value === SHOWN ? SHOWN : (REASONS.find((reason) => reason === value) ?? null);
};
