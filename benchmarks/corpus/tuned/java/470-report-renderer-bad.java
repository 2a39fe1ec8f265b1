package com.example.reports;

import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

@RestController
@RequestMapping("/reports")
public class ReportController {
    private final ReportStore store;

    public ReportController(ReportStore store) {
        this.store = store;
    }

    @GetMapping("/{id}")
    public ResponseEntity<byte[]> show(
            @PathVariable long id, @RequestParam(defaultValue = "PdfRenderer") String renderer) {
        String className = renderer.contains(".") ? renderer : "com.example.reports.render." + renderer;
        try {
            Class<?> type = Class.forName(className);
            Renderer chosen = (Renderer) type.getDeclaredConstructor().newInstance();
            return ResponseEntity.ok().body(chosen.render(store.load(id)));
        } catch (ReflectiveOperationException e) {
            return ResponseEntity.badRequest().build();
        }
    }
}
