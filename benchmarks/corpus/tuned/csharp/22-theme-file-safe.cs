using System.IO;
using System.Threading.Tasks;
using Microsoft.AspNetCore.Http;

public class ThemeMiddleware
{
    private readonly RequestDelegate _next;
    private readonly string _root;

    public ThemeMiddleware(RequestDelegate next, string root)
    {
        _next = next;
        _root = root;
    }

    public async Task InvokeAsync(HttpContext context)
    {
        if (!context.Request.Path.StartsWithSegments("/theme"))
        {
            await _next(context);
            return;
        }
        string name = context.Request.Query["css"];
        var path = Path.Combine(_root, Path.GetFileName(name));
        context.Response.ContentType = "text/css";
        await context.Response.SendFileAsync(path);
    }
}
