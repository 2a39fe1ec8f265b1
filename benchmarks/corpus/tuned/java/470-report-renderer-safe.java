package com.example.reports;

import java.util.Map;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

@RestController
@RequestMapping("/reports")
public class ReportController {
    private static final Map<String, String> RENDERERS = Map.of(
            "pdf", "com.example.reports.render.PdfRenderer",
            "csv", "com.example.reports.render.CsvRenderer");
    private final ReportStore store;

    public ReportController(ReportStore store) {
        this.store = store;
    }

    @GetMapping("/{id}")
    public ResponseEntity<byte[]> show(
            @PathVariable long id, @RequestParam(defaultValue = "pdf") String renderer) {
        String className = RENDERERS.get(renderer);
        if (className == null) {
            return ResponseEntity.badRequest().build();
        }
        try {
            Class<?> type = Class.forName(className);
            Renderer chosen = (Renderer) type.getDeclaredConstructor().newInstance();
            return ResponseEntity.ok().body(chosen.render(store.load(id)));
        } catch (ReflectiveOperationException e) {
            return ResponseEntity.internalServerError().build();
        }
    }
}
