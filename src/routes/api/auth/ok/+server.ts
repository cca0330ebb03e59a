import { readOk } from '#lib/adapters/web/api/service.ts';
import { endpoint, onlyMethods } from '#lib/adapters/web/endpoint.ts';
import { ok } from '#lib/domain/result.ts';

export const GET = endpoint(readOk, () => ok({ ok: true }));

export const fallback = onlyMethods(readOk);
