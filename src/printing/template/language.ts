/** The syntax that a template is in: Liquid, or that of Django, which the existing system has. */
export type Language = 'liquid' | 'django'
