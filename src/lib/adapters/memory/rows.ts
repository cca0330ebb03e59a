import type { Session } from '#lib/domain/session.ts';
import type { User } from '#lib/domain/user.ts';
import { copy, type SessionRow, type UserRow } from './tables.ts';

export const toUser = ({ deletedAt: _, ...user }: UserRow): User => copy(user);

export const toSession = ({ tokenHash: _, ...session }: SessionRow): Session => copy(session);
