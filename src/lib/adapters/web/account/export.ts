import { error, type RequestEvent } from '@sveltejs/kit';
import { messages } from '#lib/messages/messages.ts';
import { requireFreshSession } from '../edge/require-user.ts';
import { postedFields } from '../http/form-body.ts';
import { logEvent } from '../http/log-event.ts';

export const downloadExport = async (event: RequestEvent): Promise<Response> => {
	const { user } = requireFreshSession(event);
	// Refuses other bodies, whose form token was not checked.
	await postedFields(event);
	const data = await event.locals.app.exportAccount(user.id, { kind: 'person' });
	if (data === null) error(404, messages.faults.notFound);
	logEvent(event, 'data_exported', { events: data.events.length });
	return new Response(`${JSON.stringify(data, null, '\t')}\n`, {
		headers: {
			'content-type': 'application/json',
			'content-disposition': 'attachment; filename="account.json"'
		}
	});
};
