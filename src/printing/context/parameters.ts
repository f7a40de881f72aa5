/** Parameter values by the parameter's name. */
export function indexParameterValues(parameters: unknown): Record<string, unknown> {
  const list = Array.isArray(parameters) ? (parameters as { template_detail?: { name?: string }; data?: unknown }[]) : []
  return Object.fromEntries(list.map(({ template_detail, data }) => [template_detail?.name ?? '', data]))
}
