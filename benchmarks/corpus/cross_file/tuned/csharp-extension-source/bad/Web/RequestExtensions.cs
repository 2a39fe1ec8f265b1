using Microsoft.AspNetCore.Http;

namespace Web;

public static class RequestReader
{
    public static string Text(HttpRequest request, string key)
    {
        return request.Query[key];
    }

    public static int Number(HttpRequest request, string key)
    {
        return int.Parse(request.Query[key]);
    }
}
