/** Where so many people have their mail that a near miss is more likely a slip than another place. */
const LARGE = [
	...['gmail.com', 'googlemail.com', 'hotmail.com', 'outlook.com', 'yahoo.com', 'icloud.com'],
	...['protonmail.com', 'fastmail.com']
] as const;

/** Close to one of them, and real. Libraries for this ask people of mailbox.org whether they meant mail.org. */
const REAL = ['mail.com', 'email.com', 'ymail.com', 'gmail.co', 'hmail.com', 'hotmail.co'] as const;

/**
 * The address somebody probably meant: the same one at a large mail provider, where theirs is one
 * slip away from that (a letter too many, missing, wrong, or two swapped). Null for all others. It is
 * a question to ask, never a reason to refuse. Expects lower case.
 */
export const likelyEmail = (email: string): string | null => {
	const at = email.lastIndexOf('@') + 1;
	const domain = email.slice(at);
	if (isOneOf(LARGE, domain) || isOneOf(REAL, domain)) return null;
	const meant = LARGE.find((large) => isOneSlipAway(domain, large));
	return meant === undefined ? null : email.slice(0, at) + meant;
};

const isOneOf = (list: readonly string[], domain: string): boolean => list.includes(domain);

/** Whether two texts are the same but for one character, or for two neighbours the other way round. */
const isOneSlipAway = (a: string, b: string): boolean => {
	let start = 0;
	while (start < a.length && a[start] === b[start]) start += 1;
	const [restA, restB] = [a.slice(start), b.slice(start)];
	const isWrong = restA.slice(1) === restB.slice(1);
	const isTooMany = restA.slice(1) === restB;
	const isMissing = restA === restB.slice(1);
	const isSwapped =
		restA[0] === restB[1] && restA[1] === restB[0] && restA.slice(2) === restB.slice(2);
	return isWrong || isTooMany || isMissing || isSwapped;
};
