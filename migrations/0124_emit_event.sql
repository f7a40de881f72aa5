-- Names the function that writes an event for what it does. Nothing in the database calls it: only the service does.
alter function say_event(text, integer, text) rename to emit_event;
