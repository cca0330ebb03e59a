import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix, relative, sep } from 'node:path';
import { parse } from 'svelte/compiler';
import ts from 'typescript';

/** Every module that the scripts of a component import, types included. */
const importsOf = (code: string): readonly string[] => {
	const { instance, module } = parse(code, { modern: true });
	return [instance, module].flatMap((script) => {
		if (!script) return [];
		// The parser says where a script is; both ends of its tags are inside the span.
		const text = code.slice(script.start, script.end);
		const body = text.slice(text.indexOf('>') + 1, text.lastIndexOf('</script'));
		return modulesIn(ts.createSourceFile('x.ts', body, ts.ScriptTarget.Latest));
	});
};

const modulesIn = (node: ts.Node): readonly string[] => {
	const names: string[] = [];
	const visit = (child: ts.Node): void => {
		if ((ts.isImportDeclaration(child) || ts.isExportDeclaration(child)) && child.moduleSpecifier) {
			names.push((child.moduleSpecifier as ts.StringLiteral).text);
		}
		// `import('x').T` in a type, and `import('x')` in code.
		if (ts.isImportTypeNode(child) && ts.isLiteralTypeNode(child.argument)) {
			names.push((child.argument.literal as ts.StringLiteral).text);
		}
		if (ts.isCallExpression(child) && child.expression.kind === ts.SyntaxKind.ImportKeyword) {
			const [argument] = child.arguments;
			if (argument && ts.isStringLiteralLike(argument)) names.push(argument.text);
		}
		ts.forEachChild(child, visit);
	};
	visit(node);
	return names;
};

/** The imports of driven adapters by components of a project, as `component → module`. */
export const driversInComponents = (root: string): readonly string[] =>
	readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile() && entry.name.endsWith('.svelte'))
		.flatMap((entry) => {
			const file = join(entry.parentPath, entry.name);
			const path = relative(root, file).split(sep).join('/');
			return importsOf(readFileSync(file, 'utf8'))
				.map((name) => resolved(dirname(path), name))
				.filter((name) => /^src\/lib\/adapters\/(?!web\/)/.test(name))
				.map((name) => `${path} → ${name}`);
		});

const resolved = (folder: string, name: string): string =>
	name.startsWith('.')
		? posix.join(folder, name)
		: name.replace(/^(?:#lib|\$lib)\//, 'src/lib/').replace(/^\/(?=src\/)/, '');
