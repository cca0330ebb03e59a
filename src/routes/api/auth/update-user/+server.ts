import { updateUser } from '#lib/adapters/web/account/operations.ts';
import { endpoint } from '#lib/adapters/web/api/endpoint.ts';
import { showChangedUser } from '#lib/adapters/web/sessions/session-response.ts';
import { err, ok } from '#lib/domain/errors.ts';

export const { POST, fallback } = endpoint(
	updateUser,
	async (event, { body: { name, image, email }, user }) => {
		if (email !== undefined) return err({ code: 'email_can_not_be_updated' });
		const change = {
			...(name === undefined ? {} : { name }),
			...(image === undefined ? {} : { image })
		};
		if (Object.keys(change).length === 0) return err({ code: 'no_fields_to_update' });
		const changed = await event.locals.app.updateProfile(user.id, change);
		if (changed === null) return err({ code: 'unauthorized' });
		showChangedUser(event, changed);
		return ok({ status: true });
	}
);
