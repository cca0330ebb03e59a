import type { Fact } from '#lib/domain/delivery/receipts/delivery-figures.ts';
import type { MailHost } from '#lib/domain/delivery/receipts/mail-host.ts';
import type { Columns } from '../../columns.ts';

/** What became of emailed codes. It names no person: only the organisations that receive the email. */
export const figureTables = ({ table, text, integer, instant, primaryKey }: Columns) => {
	const deliveryFigure = table(
		'delivery_figure',
		{
			/** The hour in which the codes were requested. */
			since: instant('since').notNull(),
			host: text('host').$type<MailHost>().notNull(),
			fact: text('fact').$type<Fact>().notNull(),
			count: integer('count').notNull()
		},
		// Every query takes a range of hours.
		(t) => [primaryKey({ columns: [t.since, t.host, t.fact] })]
	);

	return { deliveryFigure };
};
