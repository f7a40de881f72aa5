/** The syntax of a template: Liquid, or that of Django, as in InvenTree. */
export type Language = 'liquid' | 'django'
