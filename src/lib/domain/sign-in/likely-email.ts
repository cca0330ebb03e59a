/** Large providers. An address one typing error away from these is probably a typing error. */
const LARGE = [
	'gmail.com',
	'googlemail.com',
	'hotmail.com',
	'outlook.com',
	'yahoo.com',
	'icloud.com',
	'protonmail.com',
	'fastmail.com'
];

/**
 * Real domains that are close to a large one, so they are never corrected. Some libraries suggest
 * mail.org to users of mailbox.org.
 */
const REAL = ['mail.com', 'email.com', 'ymail.com', 'gmail.co', 'hmail.com', 'hotmail.co'];

/**
 * The email address that the user probably meant: the same local part at a large provider whose
 * domain is one typing error away. That is one letter added, missing or wrong, or two swapped. Null
 * for all other addresses. Use it only to ask the user, never to refuse. Expects lower case.
 */
export const likelyEmail = (email: string): string | null => {
	const at = email.lastIndexOf('@') + 1;
	const domain = email.slice(at);
	if (LARGE.includes(domain) || REAL.includes(domain)) return null;
	const meant = LARGE.find((large) => isOneTypoAway(domain, large));
	return meant === undefined ? null : email.slice(0, at) + meant;
};

const isOneTypoAway = (a: string, b: string): boolean => {
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
