import { parseEmail } from '#lib/domain/email.ts';
import { err, ok, type Result } from '#lib/domain/errors.ts';
import { asciiOnly } from './mail-account.ts';
import { parsed, splitList } from './settings.ts';

/** Who may use the applications behind a proxy: everybody, or email addresses and `@domain`s. */
export type ForwardAllow = '*' | ReadonlySet<string>;

export const forwardAllow = parsed((text): Result<ForwardAllow, string> => {
	if (text === '*') return ok(text);
	const allowed = new Set<string>();
	for (const entry of splitList(text)) {
		const isDomain = entry.startsWith('@');
		const email = parseEmail(isDomain ? `any${entry}` : entry, asciiOnly);
		if (!email.ok) {
			return err(
				`"${entry}" is neither an email address nor a domain. Write * for everybody with an account, or a list such as @example.org,ada@partner.com. Write other than English letters of a domain as xn--…`
			);
		}
		allowed.add(isDomain ? email.value.slice('any'.length) : email.value);
	}
	return allowed.size > 0 ? ok(allowed) : err('the list is empty. Write * or a list, or remove it');
});
