const ja: Record<string, string> = {};

export default ja;
