import { apiError, unauthorized } from '#lib/adapters/web/api-error.ts';
import { endpointWithBody, onlyMethods } from '#lib/adapters/web/endpoint.ts';
import { showChanged } from '#lib/adapters/web/held-session.ts';
import { requireUser } from '#lib/adapters/web/require-user.ts';
import { updateUserBody } from '#lib/adapters/web/schemas.ts';

export const POST = endpointWithBody(updateUserBody, async (event, { name, image, email }) => {
	const { id } = requireUser(event);
	if (email !== undefined) {
		return apiError(400, 'EMAIL_CAN_NOT_BE_UPDATED', 'Email can not be updated');
	}
	const change = {
		...(name === undefined ? {} : { name }),
		...(image === undefined ? {} : { image })
	};
	if (Object.keys(change).length === 0) {
		return apiError(400, 'NO_FIELDS_TO_UPDATE', 'No fields to update');
	}
	const user = await event.locals.app.updateProfile(id, change);
	if (user === null) return unauthorized();
	showChanged(event, user);
	return Response.json({ status: true });
});

export const fallback = onlyMethods('POST');
