import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Reads and writes JSON: objects as maps, arrays as lists, numbers as doubles. */
final class Json {
    private static final int MAX_DEPTH = 20;

    private final String text;
    private int at = 0;

    private Json(String text) {
        this.text = text;
    }

    /** @throws IllegalArgumentException if the text is not valid JSON */
    static Object parse(String text) {
        var json = new Json(text);
        var value = json.value(0);
        json.skipSpace();
        if (json.at != text.length()) throw json.mistake();
        return value;
    }

    static String write(Object value) {
        if (value instanceof Map<?, ?> map)
            return map.entrySet().stream()
                    .map(each -> quote((String) each.getKey()) + ":" + write(each.getValue()))
                    .collect(Collectors.joining(",", "{", "}"));
        if (value instanceof List<?> list)
            return list.stream().map(Json::write).collect(Collectors.joining(",", "[", "]"));
        return value instanceof String string ? quote(string) : String.valueOf(value);
    }

    private static String quote(String text) {
        var quoted = new StringBuilder("\"");
        for (char each : text.toCharArray()) {
            if (each == '"' || each == '\\') quoted.append('\\').append(each);
            else if (each < ' ') quoted.append(String.format("\\u%04x", (int) each));
            else quoted.append(each);
        }
        return quoted.append('"').toString();
    }

    private Object value(int depth) {
        if (depth > MAX_DEPTH) throw mistake();
        skipSpace();
        return switch (peek()) {
            case '{' -> object(depth);
            case '[' -> array(depth);
            case '"' -> string();
            case 't' -> word("true", true);
            case 'f' -> word("false", false);
            case 'n' -> word("null", null);
            default -> number();
        };
    }

    private Map<String, Object> object(int depth) {
        var map = new LinkedHashMap<String, Object>();
        take('{');
        if (isNext('}')) return map;
        do {
            skipSpace();
            var name = string();
            skipSpace();
            take(':');
            if (map.put(name, value(depth + 1)) != null) throw mistake();
        } while (isNext(','));
        take('}');
        return map;
    }

    private List<Object> array(int depth) {
        var list = new ArrayList<>();
        take('[');
        if (isNext(']')) return list;
        do list.add(value(depth + 1)); while (isNext(','));
        take(']');
        return list;
    }

    private String string() {
        var found = new StringBuilder();
        take('"');
        while (peek() != '"') {
            char each = text.charAt(at++);
            if (each < ' ') throw mistake();
            found.append(each == '\\' ? escaped() : each);
        }
        take('"');
        return found.toString();
    }

    private char escaped() {
        char each = peek();
        at++;
        return switch (each) {
            case '"', '\\', '/' -> each;
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'u' -> {
                if (at + 4 > text.length()) throw mistake();
                at += 4;
                yield (char) Integer.parseInt(text.substring(at - 4, at), 16);
            }
            default -> throw mistake();
        };
    }

    private double number() {
        int start = at;
        while (at < text.length() && "+-.eE0123456789".indexOf(text.charAt(at)) >= 0) at++;
        var digits = text.substring(start, at);
        if (!digits.matches("-?(0|[1-9]\\d*)(\\.\\d+)?([eE][+-]?\\d+)?")) throw mistake();
        return Double.parseDouble(digits);
    }

    private Object word(String word, Object value) {
        if (!text.startsWith(word, at)) throw mistake();
        at += word.length();
        return value;
    }

    private boolean isNext(char expected) {
        skipSpace();
        if (peek() != expected) return false;
        at++;
        return true;
    }

    private void take(char expected) {
        if (peek() != expected) throw mistake();
        at++;
    }

    private char peek() {
        if (at >= text.length()) throw mistake();
        return text.charAt(at);
    }

    private void skipSpace() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) at++;
    }

    private IllegalArgumentException mistake() {
        return new IllegalArgumentException("Not valid JSON at character " + at + ".");
    }
}
