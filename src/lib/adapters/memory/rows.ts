import type { Session } from '#lib/domain/sessions/session.ts';
import type { User } from '#lib/domain/account/user.ts';
import { copy, type SessionRow, type UserRow } from './tables.ts';

export const toUser = ({ deletedAt: _, ...user }: UserRow): User => copy(user);

export const toSession = ({
	tokenHash: _hash,
	deviceId: _device,
	...session
}: SessionRow): Session => copy(session);
