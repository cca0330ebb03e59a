import { hello } from '#lib/adapters/web/service/operations.ts';
import { endpoint, onlyMethods } from '#lib/adapters/web/api/endpoint.ts';
import { ok } from '#lib/domain/errors.ts';

/** An example of your own endpoint. It is protected because `hello` says `session: 'required'`. */
export const GET = endpoint(hello, (_event, { user: { name, email } }) =>
	ok({ message: `Hello, ${name || email}` })
);

export const fallback = onlyMethods(hello);
