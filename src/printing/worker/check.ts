import type { Library } from '../rendering.ts'
import { byPlace, compileTemplate, type TemplateProblem } from '../template/compile.ts'
import { findTemplate, noTemplate } from '../template/files.ts'
import type { TemplateCheck } from './messages.ts'

/** Checks the text of a template, including missing files that it extends or includes. */
export async function checkTemplate(source: string, library: Pick<Library, 'snippet'>): Promise<TemplateCheck> {
  const { error, language, problems, files } = compileTemplate(source)
  if (error) return { error: written(error), problems: [] }
  const missing: TemplateProblem[] = []
  for (const { path, ...place } of files)
    if ((await findTemplate(library, path, language)) === undefined) missing.push({ message: noTemplate(path), ...place })
  return { problems: [...problems, ...missing].toSorted(byPlace).map(written) }
}

const written = ({ message, line, column }: TemplateProblem): string => `${message} (line ${line}, column ${column})`
