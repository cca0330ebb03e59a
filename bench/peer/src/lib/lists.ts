import { database } from './database.ts';

export interface Purchase {
	readonly id: string;
	readonly product: string;
	readonly status: string;
	readonly createdAt: number;
}

export interface SignIn {
	readonly id: string;
	readonly ipAddress: string;
	readonly userAgent: string;
	readonly createdAt: string;
}

/*
 * The statements are prepared on first use, because the build loads this module without a database.
 * The sessions are read directly: `auth.api.listSessions` would look up the session of the request
 * again, which costs more than the list.
 */
const purchases = () =>
	database.prepare<[string], Purchase>(
		'select id, product, status, createdAt from purchase where userId = ? order by createdAt desc, id desc'
	);
const signIns = () =>
	database.prepare<[string, string], SignIn>(
		'select id, ipAddress, userAgent, createdAt from session where userId = ? and expiresAt > ? order by createdAt desc limit 5'
	);

let purchasesOfUser: ReturnType<typeof purchases> | null = null;
let signInsOfUser: ReturnType<typeof signIns> | null = null;

export const purchasesOf = (userId: string): readonly Purchase[] =>
	(purchasesOfUser ??= purchases()).all(userId);

export const signInsOf = (userId: string): readonly SignIn[] =>
	(signInsOfUser ??= signIns()).all(userId, new Date().toISOString());
