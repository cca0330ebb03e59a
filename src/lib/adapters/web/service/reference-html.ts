import { escapeHtml } from '#lib/escape-html.ts';
import { messages } from '#lib/messages/messages.ts';
import type { OpenApiDocument, OperationObject } from '../api/openapi/document.ts';
import { URLENCODED } from '../http/form-body.ts';
import { meaningOf, sharedErrors } from '../api/openapi/errors.ts';
import { METHODS, type JsonSchema, type Parameter } from '../api/openapi/types.ts';

const texts = messages.docs;
const SHARED_CODES = new Set(sharedErrors.map(({ code }) => code));

/** A part of the page. It is closed until the reader opens it, or follows a link to it. */
interface Part {
	readonly id: string;
	readonly title: string;
	/** The method and path of a call. */
	readonly call?: string;
	readonly html: string;
}

export const referenceHtml = (document: OpenApiDocument): string => {
	const [lede = '', ...rules] = document.info.description.split('\n\n');
	const groups = document.tags.map(({ name, description }) =>
		group(name, operationsOf(document, name), paragraphs(description))
	);
	const shared = sharedErrors.map(({ calls, ...error }) => ({
		name: error.code,
		type: `${error.status}, ${calls}`,
		description: meaningOf(error)
	}));
	const objects = Object.entries(document.components.schemas).map(([name, schema]) => ({
		id: name,
		title: name,
		html: paragraphs(schema.description ?? '') + list(fieldsOf(schema))
	}));
	const titles = [texts.rules, ...document.tags.map(({ name }) => name), texts.objects];
	const links = titles.map((title) => `<a href="#${anchorOf(title)}">${title}</a>`);
	return `<header class="stack"><h1>${texts.title}</h1><p class="muted">${marked(lede)} <a href="/api/auth/openapi.json">openapi.json</a></p>
<nav aria-label="${texts.contents}">${links.join('')}</nav></header>
${group(texts.rules, [
	...rules.map(ruleOf),
	{ id: 'errors', title: texts.sharedErrors, html: list(shared) }
])}${groups.join('')}${group(texts.objects, objects)}`;
};

const group = (title: string, parts: readonly Part[], introduction = ''): string =>
	`<section><h2 id="${anchorOf(title)}">${title}</h2>${introduction}${parts.map(partHtml).join('')}</section>`;

/** The link to a part leads into it, because browsers then open it. */
const partHtml = ({ id, title, call, html }: Part): string =>
	`<details><summary><h3>${title}</h3>${call ? ` <code>${call}</code>` : ''}</summary>
<div id="${id}">${html}</div></details>`;

/** A rule for all calls. It begins with its title. */
const ruleOf = (rule: string): Part => {
	const [, title = '', text = ''] = /^\*\*(.+?)\.\*\* (.*)$/s.exec(rule) ?? [];
	return { id: anchorOf(title), title, html: paragraphs(text) };
};

const anchorOf = (title: string): string => title.toLowerCase().replaceAll(' ', '-');

const operationsOf = (document: OpenApiDocument, tag: string): readonly Part[] =>
	Object.entries(document.paths).flatMap(([path, item]) =>
		METHODS.flatMap((method) => {
			const operation = item[method];
			if (!operation?.tags.includes(tag)) return [];
			const { operationId: id, summary: title } = operation;
			const example = curlOf(document, path, method, operation);
			const html = codeBlock(example) + operationHtml(operation);
			return { id, title, call: `<strong>${method.toUpperCase()}</strong> ${path}`, html };
		})
	);

const operationHtml = ({
	description,
	security: [way],
	parameters,
	requestBody,
	...operation
}: OperationObject): string => {
	const [answer, ...refusals] = Object.entries(operation.responses).map(([status, response]) => ({
		status,
		headers: {},
		...response
	}));
	if (answer === undefined) return '';
	const body = requestBody?.content['application/json'] ?? requestBody?.content[URLENCODED];
	const request = [...fieldsOf(body?.schema), ...parameters.map(besideBody)];
	const { schema, example } = answer.content?.['application/json'] ?? {};
	const answered = [
		...fieldsOf(schema),
		...Object.entries(answer.headers).map(([name, header]) =>
			besideBody({ ...header, name, in: 'header' })
		)
	];
	const errors = refusals.flatMap(({ status, description }) =>
		[...description.matchAll(/^`(.+)`: (.*)$/gm)]
			.map(([, name = '', meaning = '']) => ({ name, type: status, description: meaning }))
			.filter(({ name }) => !SHARED_CODES.has(name))
	);
	const type = schema && typeOf(schema);
	const session = way === undefined ? 'unused' : Object.keys(way)[0] ? 'required' : 'optional';
	return [
		`${paragraphs(description)}<p class="muted small">${texts.session[session]}</p>`,
		request.length === 0 ? '' : `<h4>${texts.request}</h4>${list(request)}`,
		`<h4>${texts.answer(answer.status, type === 'object' ? undefined : type)}</h4>`,
		paragraphs(answer.description) + list(answered),
		example === undefined ? '' : codeBlock(indented(example)),
		errors.length === 0 ? '' : `<h4>${texts.errors}</h4>${list(errors)}`
	].join('');
};

/** It scrolls sideways, so the keyboard must reach it. */
const codeBlock = (text: string): string =>
	`<pre tabindex="0"><code>${escapeHtml(text)}</code></pre>`;

const indented = (value: unknown): string => JSON.stringify(value, null, 2);

/** A line for a shell, with the example values of the document and the credential in `$TOKEN`. */
const curlOf = (
	{ servers: [server], components }: OpenApiDocument,
	path: string,
	method: (typeof METHODS)[number],
	{ parameters, requestBody, security }: OperationObject
): string => {
	const { 'application/json': json, [URLENCODED]: form } = requestBody?.content ?? {};
	const header = (text: string): string => `-H "${text}"`;
	const url = parameters.reduce(
		(whole, { name, schema }) => whole.replace(`{${name}}`, String(schema.examples?.[0])),
		`${server?.url}${path}`
	);
	return [
		`curl${method === 'get' || requestBody ? '' : ` -X ${method.toUpperCase()}`}`,
		url,
		...parameters.flatMap((one) =>
			one.in === 'header' && one.required ? header(`${one.name}: ${one.schema.examples?.[0]}`) : []
		),
		...(security.some((way) => 'bearer' in way) ? [header('Authorization: Bearer $TOKEN')] : []),
		...(security[0] && 'cookie' in security[0]
			? [`-b "${components.securitySchemes.cookie.name}=$TOKEN"`]
			: []),
		...(json ? [`--json '${indented(json.example).replaceAll('\n', '\n  ')}'`] : []),
		...(form ? [`-d '${new URLSearchParams(form.example as Record<string, string>)}'`] : [])
	].join(' \\\n  ');
};

const paragraphs = (text: string): string => marked(text).replace(/[^\n]+/g, '<p>$&</p>');

/**
 * With the marks of Markdown that the document uses. Error codes are code without marks, and "see"
 * refers to a rule for all calls.
 */
const marked = (text: string): string =>
	escapeHtml(text)
		.replace(
			/`([^`]+)`|\b([A-Z]+(?:_[A-Z]+)+)\b/g,
			(_, code, error) => `<code>${code ?? error}</code>`
		)
		.replace(
			/\b(see) \*\*([^*]+)\*\*/gi,
			(_, see: string, title: string) => `${see} <a href="#${anchorOf(title)}">${title}</a>`
		)
		.replace(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>');

interface Field {
	readonly name: string;
	/** As HTML, such as `string or null`. */
	readonly type: string;
	readonly description: string;
}

const list = (fields: readonly Field[]): string => {
	const items = fields.map(
		({ name, type, description }) =>
			`<div><dt><code>${name}</code> <span>${type}</span></dt><dd>${marked(description)}</dd></div>`
	);
	return items.length === 0 ? '' : `<dl class="small">${items.join('')}</dl>`;
};

const besideBody = ({ name, schema, required, description, ...field }: Parameter): Field => ({
	name,
	description,
	type: typeOf(schema) + texts.beside(field.in) + (required ? '' : texts.optional)
});

/** The properties of an object, also of a nullable one and of objects within. */
const fieldsOf = (schema: JsonSchema | undefined, within = ''): readonly Field[] => {
	const object = [schema, ...alternatives(schema)].find((one) => one?.properties);
	return Object.entries(object?.properties ?? {}).flatMap(([key, value]) => {
		const [name, property] = [within + key, value as JsonSchema];
		const type = typeOf(property) + (object?.required?.includes(key) ? '' : texts.optional);
		const field = { name, type, description: property.description ?? '' };
		return [field, ...fieldsOf(property, `${name}.`)];
	});
};

/** Such as `string or null`, `list of Session` or `string of at most 512 characters`. */
const typeOf = (schema: JsonSchema): string => {
	const { $ref, const: only, type = 'anything', items, maxLength } = schema;
	const several = alternatives(schema);
	if ($ref !== undefined) return `<a href="#${nameIn($ref)}">${nameIn($ref)}</a>`;
	if (only !== undefined) return escapeHtml(JSON.stringify(only));
	if (several.length > 0) return several.map(typeOf).join(' or ');
	if (type === 'array') return `list of ${typeOf(items as JsonSchema)}`;
	return [type].flat().join(' or ') + (maxLength ? ` of at most ${maxLength} characters` : '');
};

const alternatives = (schema: JsonSchema | undefined): readonly JsonSchema[] =>
	(schema?.anyOf ?? []) as JsonSchema[];

const nameIn = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1);
