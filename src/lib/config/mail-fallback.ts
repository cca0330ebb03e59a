import { err } from '#lib/domain/errors.ts';
import { refuse, type Checked, type Findings } from './checked.ts';
import { readAccount, type SmtpAccount } from './mail-account.ts';

const PREFIX = 'EMAIL_FALLBACK_';
const NAMES = ['API_KEY', 'SERVICE', 'HOST', 'PORT', 'USER', 'FROM', 'ALLOW_PLAIN'];

/** The settings of a second provider that are set. */
export const fallbackSettings = ({ value }: Findings): readonly string[] =>
	NAMES.map((name) => PREFIX + name).filter((name) => value(name) !== undefined);

/** Reads the second provider. Null if none is set. It has the settings of the first, renamed. */
export const readFallback = (findings: Findings, first: SmtpAccount): SmtpAccount | null => {
	const written = fallbackSettings(findings);
	if (written.length === 0) return null;
	const { value, note } = renamed(findings);
	const key = value('EMAIL_API_KEY');
	if (key === undefined) {
		note('EMAIL_API_KEY', missingKey(written), null);
		return null;
	}
	const [server = 'EMAIL_SERVICE'] = ['EMAIL_HOST', 'EMAIL_SERVICE'].filter(value);
	if (value(server) === undefined) {
		note(server, missingServer, null);
		return null;
	}
	const account = readAccount({ ...findings, value, note }, key, first.from);
	const isSame = account.host === first.host && account.port === first.port;
	if (isSame) note(server, sameServer(account), null);
	return account;
};

const missingKey = (written: readonly string[]): Checked<never> =>
	refuse(
		`it is missing, but ${written.join(', ')} ${written.length > 1 ? 'are' : 'is'} set`,
		'Set it to the key of the second provider, or remove the others'
	);
const missingServer = refuse(
	'neither it nor EMAIL_HOST names the second provider',
	'Set it to a provider other than the first, such as Postmark'
);
const sameServer = ({ host, port }: SmtpAccount): Checked<never> =>
	refuse(
		`it is the mail server of the first provider too (${host}:${port}), so both would fail together`,
		'Name another provider'
	);

const rename = (text: string): string => text.replace(/\bEMAIL_(?!FALLBACK_)/g, PREFIX);

/** Finds each setting under the prefix, and reports it by that name. */
const renamed = ({ value, note, warn }: Findings): Findings => ({
	warn,
	value: (name) => value(rename(name)),
	note: (name, outcome, otherwise) => {
		if (outcome.ok) return note(rename(name), outcome, otherwise);
		const { why, fix } = outcome.error;
		return note(rename(name), err({ why: rename(why), fix: rename(fix) }), otherwise);
	}
});
