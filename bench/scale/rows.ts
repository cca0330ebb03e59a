import { createHash } from 'node:crypto';
import { deriveKeys } from '#lib/adapters/crypto/keys.ts';
import { hmacSecretHasher } from '#lib/adapters/crypto/hmac-secret-hasher.ts';
import type { Network } from '#lib/domain/client.ts';
import type { Email } from '#lib/domain/email.ts';
import { emailsOfNetwork, hourOf } from '#lib/domain/limits/budget.ts';
import type { DeviceKey, SecretHash, SessionToken } from '#lib/domain/secret.ts';
import { TEST_SECRET } from '../../tests/support/process/built-server.ts';

export type Cell = string | number | boolean | Date | null;

export interface TableRows {
	readonly table: string;
	readonly columns: readonly string[];
	readonly rows: Iterable<readonly Cell[]>;
}

const hasher = hmacSecretHasher(deriveKeys(TEST_SECRET, [], 'session-token'));
const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** The token of the session with this number. It is the same in every filled database. */
export const tokenOf = (number: number): SessionToken =>
	digest(`session ${number}`).toString('base64url') as SessionToken;

export const hashOf = (number: number): SecretHash => hasher.ofToken(tokenOf(number));

/** The key of the device with this number, on which the session with the same number was opened. */
export const deviceKeyOf = (number: number): DeviceKey =>
	digest(`device ${number}`).toString('base64url') as DeviceKey;

export const deviceHashOf = (number: number): SecretHash =>
	hasher.ofDevice({ kind: 'browser', key: deviceKeyOf(number) });

/** The account of the session and of the device with this number. */
export const addressOfUser = (number: number, sessions: number): Email =>
	`user-${number % usersOf(sessions)}@example.com` as Email;

/** An address with sends. Hashed, so that consecutive numbers are far apart in an index. */
export const knownAddress = (number: number): Email =>
	`${digest(`address ${number}`).toString('hex', 0, 8)}@example.com` as Email;

/** Ids in the order of creation, as ours are. */
const idOf = (number: number): string =>
	`${number.toString(16).padStart(8, '0')}-0000-7000-8000-000000000000`;

const SESSIONS_PER_USER = 10;
const usersOf = (sessions: number): number => Math.ceil(sessions / SESSIONS_PER_USER);
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/**
 * `count` valid sessions, none of them due for a refresh, as many devices, and a tenth as many
 * accounts.
 */
export const sessionRows = (count: number): readonly TableRows[] => {
	const users = usersOf(count);
	const used = new Date(Date.now() - HOUR);
	const made = new Date(Date.now() - 30 * DAY);
	const expires = new Date(used.getTime() + 60 * DAY);
	const user = (number: number): readonly Cell[] => [
		idOf(number),
		addressOfUser(number, count),
		true,
		made,
		made
	];
	const session = (number: number): readonly Cell[] => [
		idOf(number),
		hashOf(number),
		idOf(number % users),
		expires,
		made,
		used,
		'192.0.2.1',
		'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
		idOf(number)
	];
	const device = (number: number): readonly Cell[] => [
		idOf(number),
		deviceHashOf(number),
		idOf(number % users),
		made,
		used
	];
	return [
		{
			table: 'user',
			columns: ['id', 'email', 'email_verified', 'created_at', 'updated_at'],
			rows: numbered(users, user)
		},
		{
			table: 'session',
			columns: [
				'id',
				'token_hash',
				'user_id',
				'expires_at',
				'created_at',
				'updated_at',
				'ip_address',
				'user_agent',
				'device_id'
			],
			rows: numbered(count, session)
		},
		{
			table: 'device',
			columns: ['id', 'key_hash', 'user_id', 'created_at', 'used_at'],
			rows: numbered(count, device)
		}
	];
};

/** Addresses with one or two sends of the last day, all outside the window of the limit. */
export const throttleRows = (count: number): TableRows => {
	const row = (number: number): readonly Cell[] => {
		const at = new Date(Date.now() - HOUR - (number / count) * DAY);
		return [knownAddress(number), at, number % 2 === 0 ? at : null, 0];
	};
	return {
		table: 'auth_throttle',
		columns: ['email', 'sent_at_1', 'sent_at_2', 'failures'],
		rows: numbered(count, row)
	};
};

/** A client network that sent emails in the last day. */
export const networkOf = (number: number): Network =>
	digest(`network ${number}`).toString('base64url') as Network;

/** The emails of each network in an hour of the last day. */
export const countRows = (count: number): TableRows => {
	const latest = hourOf(new Date()).getTime();
	const row = (number: number): readonly Cell[] => {
		const { key } = emailsOfNetwork(networkOf(number), new Date());
		return [key, new Date(latest - (number % 24) * HOUR), 1 + (number % 5)];
	};
	return {
		table: 'site_count',
		columns: ['key', 'since', 'count'],
		rows: numbered(count, row)
	};
};

function* numbered<T>(count: number, make: (number: number) => T): Iterable<T> {
	for (let number = 0; number < count; number += 1) yield make(number);
}
