// Renders the templates of a chart as Helm does: by Go's text/template, with those functions of Helm that the chart uses.
// Reads {"folder", "context", "files"} from stdin and writes the text of each template to stdout, both as JSON.
package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"reflect"
	"sort"
	"strings"
	"text/template"
)

type files map[string]string

// Get is `.Files.Get`.
func (f files) Get(name string) string { return f[name] }

func scalar(value interface{}) string {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		panic(err)
	}
	return strings.TrimSpace(out.String())
}

func indent(spaces int, text string) string {
	pad := strings.Repeat(" ", spaces)
	return pad + strings.ReplaceAll(text, "\n", "\n"+pad)
}

// Blocks with sorted keys, and scalars in double quotes: the same values as Helm's, in other words of YAML.
func toYaml(value interface{}) string {
	lines := []string{}
	switch typed := value.(type) {
	case map[string]interface{}:
		keys := []string{}
		for key := range typed {
			keys = append(keys, key)
		}
		sort.Strings(keys)
		for _, key := range keys {
			lines = append(lines, scalar(key)+":\n"+indent(2, toYaml(typed[key])))
		}
	case []interface{}:
		for _, item := range typed {
			lines = append(lines, "-\n"+indent(2, toYaml(item)))
		}
	}
	if len(lines) == 0 {
		return scalar(value)
	}
	return strings.Join(lines, "\n")
}

func isEmpty(value interface{}) bool {
	given := reflect.ValueOf(value)
	return !given.IsValid() || given.IsZero() ||
		((given.Kind() == reflect.Map || given.Kind() == reflect.Slice) && given.Len() == 0)
}

func functions(root *template.Template) template.FuncMap {
	return template.FuncMap{
		"include": func(name string, data interface{}) (string, error) {
			var out strings.Builder
			err := root.ExecuteTemplate(&out, name, data)
			return out.String(), err
		},
		"toYaml":  toYaml,
		"nindent": func(spaces int, text string) string { return "\n" + indent(spaces, text) },
		"quote":   func(value interface{}) string { return fmt.Sprintf("%q", fmt.Sprint(value)) },
		"default": func(fallback, value interface{}) interface{} {
			if isEmpty(value) {
				return fallback
			}
			return value
		},
		"contains":   func(part, text string) bool { return strings.Contains(text, part) },
		"replace":    func(from, to, text string) string { return strings.ReplaceAll(text, from, to) },
		"trimSuffix": func(suffix, text string) string { return strings.TrimSuffix(text, suffix) },
		"trunc": func(length int, text string) string {
			if len(text) > length {
				return text[:length]
			}
			return text
		},
		"sha256sum": func(text string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(text))) },
		"list":      func(items ...interface{}) []interface{} { return items },
		"dict": func(pairs ...interface{}) map[string]interface{} {
			made := map[string]interface{}{}
			for n := 0; n+1 < len(pairs); n += 2 {
				made[pairs[n].(string)] = pairs[n+1]
			}
			return made
		},
	}
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func main() {
	log.SetFlags(0)
	var input struct {
		Folder  string
		Context map[string]interface{}
		Files   files
	}
	check(json.NewDecoder(os.Stdin).Decode(&input))
	input.Context["Files"] = input.Files
	root := template.New("chart").Option("missingkey=zero")
	root.Funcs(functions(root))
	paths, err := filepath.Glob(filepath.Join(input.Folder, "templates", "*"))
	check(err)
	for _, path := range paths {
		text, err := os.ReadFile(path)
		check(err)
		_, err = root.New(filepath.Base(path)).Parse(string(text))
		check(err)
	}
	rendered := map[string]string{}
	for _, path := range paths {
		name := filepath.Base(path)
		if strings.HasPrefix(name, "_") {
			continue
		}
		var out strings.Builder
		check(root.ExecuteTemplate(&out, name, input.Context))
		rendered[name] = strings.ReplaceAll(out.String(), "<no value>", "")
	}
	check(json.NewEncoder(os.Stdout).Encode(rendered))
}
