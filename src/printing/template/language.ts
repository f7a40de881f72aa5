/** The syntax of a template: Liquid, or that of Django, which the existing system has. */
export type Language = 'liquid' | 'django'
