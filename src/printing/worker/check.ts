import type { Library } from '../rendering.ts'
import { comparePositions, compileTemplate, type TemplateProblem } from '../template/compile.ts'
import { describeMissingTemplate, findTemplate } from '../template/files.ts'
import type { TemplateCheck } from './messages.ts'

/** Checks the text of a template, including missing files that it extends or includes. */
export async function checkTemplate(source: string, library: Pick<Library, 'snippet'>): Promise<TemplateCheck> {
  const { error, language, problems, files } = compileTemplate(source)
  if (error) return { error: formatProblem(error), problems: [] }
  const missing: TemplateProblem[] = []
  for (const { path, ...position } of files)
    if ((await findTemplate(library, path, language)) === undefined)
      missing.push({ message: describeMissingTemplate(path), ...position })
  return { problems: [...problems, ...missing].toSorted(comparePositions).map(formatProblem) }
}

const formatProblem = ({ message, line, column }: TemplateProblem): string => `${message} (line ${line}, column ${column})`
